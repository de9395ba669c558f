# Tab completion of hyperagent for fish. "hyperagent completion fish" prints it; print it again after an update.
# It starts no program: the tables say what can follow what.

function __hyperagent_subcommands
    switch $argv[1]
        @SUBCOMMANDS@
    end
end

function __hyperagent_flags
    switch $argv[1]
        @FLAGS@
    end
end

# How many values follow an option, or stand at the place of an argument; then what they may be.
function __hyperagent_slot
    switch $argv[1]
        @SLOTS@
    end
end

function __hyperagent_is_command
    contains -- "$argv[2]" (__hyperagent_subcommands "$argv[1]" | string replace -r '\t.*' '')
end

# Offers values, except file names, which fish itself offers. The first argument is what stands before the value in its
# word, such as "--level="; then comes the slot.
function __hyperagent_values
    set -g __hyperagent_kind $argv[3]
    switch "$argv[3]"
        case words
            printf '%s\n' $argv[1]$argv[4..]
        case folders
            set -l value (string sub -s (math 1 + (string length -- "$argv[1]")) -- (commandline -ct))
            printf '%s\n' $argv[1](__fish_complete_directories "$value" '')
    end
end

function __hyperagent_complete
    set -g __hyperagent_kind ''
    set -l place ''
    set -l number 1
    set -l option ''
    set -l literal ''
    set -l slot
    set -l words (commandline -opc)
    set -e words[1]
    set -l current (commandline -ct)
    for word in $words
        if test -n "$option"
            set slot (__hyperagent_slot "$place $option")
            test "$slot[1]" = many; or set option ''
            if test "$slot[1]" = one; or not string match -q -- '-?*' $word
                continue
            end
            set option ''
        end
        if test -z "$literal"; and string match -q -- '-?*' $word
            if test "$word" = --
                set literal 1
            else if __hyperagent_slot "$place $word" >/dev/null
                set option $word
            end
        else if test $number -eq 1; and __hyperagent_is_command "$place" "$word"
            set place (string trim -- "$place $word")
        else
            set slot (__hyperagent_slot "$place $number")
            test "$slot[1]" = many; or set number (math $number + 1)
        end
    end

    set -l names (__hyperagent_subcommands "$place")
    set slot
    test -n "$option"; and set slot (__hyperagent_slot "$place $option")
    if test "$slot[1]" = one; or begin
            set -q slot[1]; and not string match -q -- '-*' "$current"
        end
        __hyperagent_values '' $slot
    else if test -z "$literal"; and string match -q -- '--*=*' "$current"
        set -l name (string split -m 1 -- = $current)[1]
        __hyperagent_values $name= (__hyperagent_slot "$place $name")
    else if test -z "$literal"; and string match -q -- '-*' "$current"
        __hyperagent_flags "$place"
    else if test $number -eq 1; and set -q names[1]
        printf '%s\n' $names
    else
        set slot (__hyperagent_slot "$place $number")
        if set -q slot[1]
            __hyperagent_values '' $slot
        else if test -z "$literal$current"
            __hyperagent_flags "$place"
        end
    end
end

function __hyperagent_wants_files
    __hyperagent_complete >/dev/null
    test "$__hyperagent_kind" = files
end

complete -c hyperagent -n __hyperagent_wants_files -F
complete -c hyperagent -f -a '(__hyperagent_complete)'
