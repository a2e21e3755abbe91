/** Works when sourced after `compinit`, and as a file `_alm` in the function path. */
export const zshScript = `#compdef alm
# alm completion for zsh. In ~/.zshrc, after compinit: source <(alm completion zsh)
_alm() {
  local line word kept=
  local -a lines found
  lines=("\${(@f)$("\${\${(Q)words[1]}/#\\~\\//$HOME/}" __complete "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  if [[ $PREFIX == --*=* ]]; then
    kept=\${PREFIX%%=*}=
    IPREFIX+=$kept
    PREFIX=\${PREFIX#$kept}
  fi
  if [[ $lines[1] == :files ]]; then
    _files
    return
  fi
  for line in $lines; do
    word=\${\${line%%$'\\t'*}#$kept}
    word=\${word//:/\\\\:}
    [[ $line == *$'\\t'* ]] && word+=:\${line#*$'\\t'}
    found+=("$word")
  done
  (($#found)) && _describe -V 'alm' found
}
if [[ $funcstack[1] == _alm ]]; then
  _alm "$@"
else
  compdef _alm alm
fi
`;
