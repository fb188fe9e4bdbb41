import tab from "@bomb.sh/tab/commander";
import type { Command } from "commander";

/** The command that prints a script of completion for a shell. */
const COMPLETION = "completion";

/** The library's script makes constants, which bash refuses the second time; and it needs a function of bash-completion. */
const BASH_BEGINS = `if ! declare -F __conclave_complete >/dev/null; then
if ! declare -F _get_comp_words_by_ref >/dev/null; then
_get_comp_words_by_ref() { cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD; }
fi
`;
const BASH_ENDS = "fi\n";

/** Adds `conclave completion SHELL` to a program that has all of its other commands; its script may be sourced again. */
export const addCompletion = (program: Command): void => {
  const completion = tab(program, { completionCommandName: COMPLETION });
  const print = (shell: string): void => completion.setup(program.name(), program.name(), shell);
  program.commands
    .find((command) => command.name() === COMPLETION)
    ?.action((shell: string) => {
      if (shell !== "bash") return print(shell);
      process.stdout.write(BASH_BEGINS);
      print(shell);
      process.stdout.write(BASH_ENDS);
    });
};
