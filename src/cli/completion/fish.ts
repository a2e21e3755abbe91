/** Fish itself accepts a tab between a word and its description. */
export const fishScript = String.raw`# alm completion for fish: alm completion fish > ~/.config/fish/completions/alm.fish
function __alm_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    set -l program (string replace -r -- '^~/' "$HOME/" $words[1])
    set -e words[1]
    set -l found ($program __complete $words "$last" 2>/dev/null </dev/null)
    if test "$found[1]" = :files
        set -l kept (string match -r -- '^--[^=]+=' "$last")
        for file in (__fish_complete_path (string replace -r -- '^--[^=]+=' '' "$last"))
            printf '%s%s\n' "$kept" $file
        end
    else if set -q found[1]
        printf '%s\n' $found
    end
end
complete -c alm -k -f -a '(__alm_complete)'
`;
