# Tab completion of hyperagent for PowerShell. "hyperagent completion powershell" prints it; print it again after an
# update. It starts no program: the tables say what can follow what.

Register-ArgumentCompleter -Native -CommandName hyperagent -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    # Names, each before its description.
    function Get-Subcommands($place) {
        switch ($place) {
            @SUBCOMMANDS@
        }
    }

    function Get-Flags($place) {
        switch ($place) {
            @FLAGS@
        }
    }

    # How many values follow an option, or stand at the place of an argument; then what they may be.
    function Get-Slot($key) {
        switch ($key) {
            @SLOTS@
        }
    }

    function Test-Subcommand($place, $word) {
        $pairs = @(Get-Subcommands $place)
        for ($i = 0; $i -lt $pairs.Count; $i += 2) {
            if ($pairs[$i] -ceq $word) { return $true }
        }
        $false
    }

    function New-Result($text, $type, $tip) {
        $quoted = $text
        if ($text -notmatch '^[\w./:=+-]+$') {
            $quoted = "'" + [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($text) + "'"
        }
        # PowerShell accepts no empty tooltip.
        if (-not $tip) { $tip = $text }
        [System.Management.Automation.CompletionResult]::new($quoted, $text, $type, $tip)
    }

    function Complete-Names($pairs, $type) {
        for ($i = 0; $i -lt $pairs.Count; $i += 2) {
            if ($pairs[$i].StartsWith($wordToComplete, [System.StringComparison]::Ordinal)) {
                New-Result $pairs[$i] $type $pairs[$i + 1]
            }
        }
    }

    # $lead is what stands before the value in its word, such as "--level=".
    function Complete-Values($lead, $slot) {
        $value = $wordToComplete.Substring($lead.Length)
        if ($slot[1] -eq 'words') {
            foreach ($word in @($slot | Select-Object -Skip 2)) {
                if ($word.StartsWith($value, [System.StringComparison]::Ordinal)) {
                    New-Result ($lead + $word) 'ParameterValue' $word
                }
            }
        } elseif ($slot[1] -eq 'files' -or $slot[1] -eq 'folders') {
            foreach ($found in [System.Management.Automation.CompletionCompleters]::CompleteFilename($value)) {
                if ($slot[1] -eq 'files' -or $found.ResultType -eq 'ProviderContainer') {
                    [System.Management.Automation.CompletionResult]::new(
                        $lead + $found.CompletionText, $found.ListItemText, $found.ResultType, $found.ToolTip)
                }
            }
        }
    }

    function Complete-Line {
        $place = ''
        $number = 1
        $option = ''
        $literal = $false
        $before = @($commandAst.CommandElements | Select-Object -Skip 1 |
            Where-Object { $_.Extent.EndOffset -lt $cursorPosition })
        foreach ($element in $before) {
            $word = if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) {
                $element.Value
            } else {
                $element.Extent.Text
            }
            if ($option) {
                $slot = @(Get-Slot "$place $option")
                if ($slot[0] -ne 'many') { $option = '' }
                if ($slot[0] -eq 'one' -or $word -notlike '-?*') { continue }
                $option = ''
            }
            if (-not $literal -and $word -like '-?*') {
                if ($word -eq '--') {
                    $literal = $true
                } elseif (@(Get-Slot "$place $word").Count -gt 0) {
                    $option = $word
                }
            } elseif ($number -eq 1 -and (Test-Subcommand $place $word)) {
                $place = "$place $word".Trim()
            } else {
                $slot = @(Get-Slot "$place $number")
                if ($slot.Count -eq 0 -or $slot[0] -ne 'many') { $number++ }
            }
        }

        $names = @(Get-Subcommands $place)
        $slot = @(if ($option) { Get-Slot "$place $option" })
        if ($slot.Count -gt 0 -and ($slot[0] -eq 'one' -or $wordToComplete -notlike '-*')) {
            Complete-Values '' $slot
        } elseif (-not $literal -and $wordToComplete -like '--*=*') {
            $name = $wordToComplete.Substring(0, $wordToComplete.IndexOf('='))
            $slot = @(Get-Slot "$place $name")
            if ($slot.Count -gt 0) { Complete-Values "$name=" $slot }
        } elseif (-not $literal -and $wordToComplete -like '-*') {
            Complete-Names @(Get-Flags $place) 'ParameterName'
        } elseif ($number -eq 1 -and $names.Count -gt 0) {
            Complete-Names $names 'ParameterValue'
        } else {
            $slot = @(Get-Slot "$place $number")
            if ($slot.Count -gt 0) {
                Complete-Values '' $slot
            } elseif (-not $literal -and -not $wordToComplete) {
                Complete-Names @(Get-Flags $place) 'ParameterName'
            }
        }
    }

    $results = @(Complete-Line)
    # Without any result PowerShell offers file names.
    if ($results.Count -gt 0) { $results } else { '' }
}
