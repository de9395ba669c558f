#compdef hyperagent
# Tab completion of hyperagent for zsh. "hyperagent completion zsh" prints it; print it again after an update.
# It starts no program: the tables say what can follow what.

__hyperagent_subcommands() {
  names=()
  case $1 in
    @SUBCOMMANDS@
  esac
}

__hyperagent_flags() {
  names=()
  case $1 in
    @FLAGS@
  esac
}

# How many values follow an option, or stand at the place of an argument, and what they may be.
__hyperagent_slot() {
  count='' kind='' choices=()
  case $1 in
    @SLOTS@
  esac
  [[ -n $count ]]
}

__hyperagent_is_command() {
  local one
  local -a names
  __hyperagent_subcommands "$place"
  for one in "${names[@]}"; do
    [[ $one == "${1//:/\\:}":* ]] && return 0
  done
  return 1
}

# Offers values; $1 is what stands before the value in its word, such as "--level=".
__hyperagent_values() {
  local expl
  [[ -n $1 ]] && compset -P "${(b)1}"
  case $kind in
    words) _wanted values expl value compadd -a choices ;;
    files) _files ;;
    folders) _files -/ ;;
    *) return 1 ;;
  esac
}

_hyperagent() {
  local place='' option='' literal='' count kind word
  local -a names choices
  integer number=1 i
  for ((i = 2; i < CURRENT; i++)); do
    word=${(Q)words[i]}
    if [[ -n $option ]]; then
      __hyperagent_slot "$place $option"
      [[ $count == many ]] || option=''
      [[ $count == one || $word != -?* ]] && continue
      option=''
    fi
    if [[ -z $literal && $word == -?* ]]; then
      if [[ $word == -- ]]; then
        literal=1
      elif __hyperagent_slot "$place $word"; then
        option=$word
      fi
    elif ((number == 1)) && __hyperagent_is_command "$word"; then
      place="${place:+$place }$word"
    else
      __hyperagent_slot "$place $number"
      [[ $count == many ]] || ((number++))
    fi
  done

  __hyperagent_subcommands "$place"
  if [[ -n $option ]] && __hyperagent_slot "$place $option" && [[ $count == one || $PREFIX != -* ]]; then
    __hyperagent_values ''
  elif [[ -z $literal && $PREFIX == --*=* ]]; then
    __hyperagent_slot "$place ${PREFIX%%=*}" && __hyperagent_values "${PREFIX%%=*}="
  elif [[ -z $literal && $PREFIX == -* ]]; then
    __hyperagent_flags "$place"
    _describe -o option names
  elif ((number == 1 && $#names > 0)); then
    _describe -t commands command names
  elif __hyperagent_slot "$place $number"; then
    __hyperagent_values ''
  elif [[ -z $literal && -z $PREFIX ]]; then
    # Nothing else can follow: options are shown before a "-" is typed.
    __hyperagent_flags "$place"
    _describe -O option names
  fi
}

# The first completion loads this file as the function; "source" only defines it.
if [[ $funcstack[1] == _hyperagent ]]; then
  _hyperagent "$@"
else
  compdef _hyperagent hyperagent
fi
