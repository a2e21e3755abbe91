/**
 * Bash also splits words at `=` and `:` and replaces only the last piece. The script joins adjacent pieces, and removes the prefix
 * from the candidates again. It shows descriptions only in lists of candidates, because elsewhere bash would insert them into the
 * command line. It uses only features of bash 3.2, which some systems still ship.
 */
export const bashScript = `# alm completion for bash. In ~/.bashrc: source <(alm completion bash)
_alm() {
  local rest=\${COMP_LINE:0:COMP_POINT} words=() width=0 i piece before last kept word about
  for ((i = 0; i <= COMP_CWORD; i++)); do
    before=$rest
    rest=\${rest#"\${rest%%[![:space:]]*}"}
    piece=\${COMP_WORDS[i]}
    ((i == COMP_CWORD)) && piece=$rest
    rest=\${rest#"$piece"}
    if ((i > 0)) && [[ -n $before && $before != [[:space:]]* ]]; then
      words[\${#words[@]} - 1]+=$piece
    else
      words+=("$piece")
    fi
  done
  last=\${words[\${#words[@]} - 1]}
  kept=\${last%"\${last##*["$COMP_WORDBREAKS"]}"}
  kept=\${kept//[\\\\\\"\\']/}
  words=("\${words[@]//[\\\\\\"\\']/}")

  COMPREPLY=()
  local abouts=()
  while IFS=$'\\t' read -r word about; do
    if [[ $word == :files ]]; then
      compopt -o default 2>/dev/null || while IFS= read -r word; do
        COMPREPLY+=("$word")
      done < <(compgen -f -- "\${last:\${#kept}}")
      return
    fi
    printf -v word %q "\${word#"$kept"}"
    COMPREPLY+=("$word")
    abouts+=("$about")
    ((\${#word} > width)) && width=\${#word}
  done < <("\${words[0]/#\\~/$HOME}" __complete "\${words[@]:1}" 2>/dev/null </dev/null)

  compopt -o nosort 2>/dev/null
  ((\${#COMPREPLY[@]} > 1)) && [[ $COMP_TYPE == 63 || $COMP_TYPE == 33 || $COMP_TYPE == 64 ]] || return 0
  for i in "\${!COMPREPLY[@]}"; do
    [[ -n \${abouts[i]} ]] || continue
    printf -v word "%-\${width}s  (%s)" "\${COMPREPLY[i]}" "\${abouts[i]}"
    COMPREPLY[i]=\${word:0:\${COLUMNS:-80} - 2}
  done
}
complete -F _alm alm
`;
