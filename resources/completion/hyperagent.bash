# Tab completion of hyperagent for bash. "hyperagent completion bash" prints it; print it again after an update.
# It starts no program: two tables say what can follow what. Works in bash 3.2 and later.

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

# The words up to the cursor. Bash splits them at "=" and ":" too; here they are whole again.
__hyperagent_words() {
  local rest=${COMP_LINE:0:COMP_POINT} start word i
  words=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    start=${rest#"${rest%%[![:space:]]*}"}
    word=${COMP_WORDS[i]}
    ((i == COMP_CWORD)) && word=$start
    if ((i > 0)) && [[ $start == "$rest" ]]; then
      words[${#words[@]} - 1]+=$word
    else
      words+=("$word")
    fi
    rest=${start#"$word"}
  done
}

__hyperagent_is_command() {
  local one names
  __hyperagent_subcommands "$place"
  for one in ${names[@]+"${names[@]}"}; do
    [[ $one == "$1" ]] && return 0
  done
  return 1
}

# Offers what begins with the word at the cursor, without the part that bash does not replace.
__hyperagent_reply() {
  local fixed='' mark one
  for mark in = :; do
    if [[ $COMP_WORDBREAKS == *$mark* && $current == *$mark* ]]; then
      one=${current%"${current##*$mark}"}
      ((${#one} > ${#fixed})) && fixed=$one
    fi
  done
  for one in "$@"; do
    [[ $one == "$current"* ]] || continue
    printf -v one %q "${one#"$fixed"}"
    COMPREPLY+=("$one")
  done
}

# Offers values; $1 is what stands before the value in its word, such as "--level=".
__hyperagent_values() {
  local one found=()
  case $kind in
    words)
      for one in ${choices[@]+"${choices[@]}"}; do found+=("$1$one"); done
      ;;
    files | folders)
      if [[ $kind == files ]]; then compopt -o default; else compopt -o dirnames; fi 2>/dev/null && return
      [[ $kind == files ]] && one=-f || one=-d
      while IFS= read -r one; do found+=("$1$one"); done < <(compgen $one -- "${current#"$1"}")
      ;;
  esac
  __hyperagent_reply ${found[@]+"${found[@]}"}
}

__hyperagent() {
  local words names count kind choices
  local place='' number=1 option='' literal='' word i
  COMPREPLY=()
  __hyperagent_words
  local current=${words[${#words[@]} - 1]}
  for ((i = 1; i < ${#words[@]} - 1; i++)); do
    word=${words[i]}
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
  if [[ -n $option ]] && __hyperagent_slot "$place $option" && [[ $count == one || $current != -* ]]; then
    __hyperagent_values ''
  elif [[ -z $literal && $current == --*=* ]]; then
    __hyperagent_slot "$place ${current%%=*}" && __hyperagent_values "${current%%=*}="
  elif [[ -z $literal && $current == -* ]]; then
    __hyperagent_flags "$place"
    __hyperagent_reply ${names[@]+"${names[@]}"}
  elif ((number == 1 && ${#names[@]} > 0)); then
    __hyperagent_reply ${names[@]+"${names[@]}"}
  elif __hyperagent_slot "$place $number"; then
    __hyperagent_values ''
  elif [[ -z $literal && -z $current ]]; then
    __hyperagent_flags "$place"
    __hyperagent_reply ${names[@]+"${names[@]}"}
  fi
}

complete -F __hyperagent hyperagent
