/** One edit of one file that weakens one check. The edited source is wrong, so a test must fail. */
export interface Edit {
  /** the check that the edited code lacks */
  readonly weakens: string;
  /** text that occurs exactly once in the file */
  readonly find: string;
  readonly put: string;
  /** test files of which one must fail; by default those of the file */
  readonly tests?: readonly string[];
}

/** The edits of one file. Paths are from the root of the repository. */
export interface EditedFile {
  readonly path: string;
  /** the smallest set of test files in which a test fails for every edit without tests of its own */
  readonly tests: readonly string[];
  readonly edits: readonly Edit[];
}

/** An edit with its file. */
export interface Mutant extends Edit {
  readonly path: string;
  readonly tests: readonly string[];
}

export const mutantsOf = (files: readonly EditedFile[]): readonly Mutant[] =>
  files.flatMap(({ path, tests, edits }) => edits.map((edit) => ({ tests, ...edit, path })));

/** The edited text; undefined when `find` does not occur exactly once, or the edit changes nothing. */
export const edited = (source: string, { find, put }: Pick<Edit, "find" | "put">): string | undefined => {
  const parts = source.split(find);
  return parts.length === 2 && find !== put ? parts.join(put) : undefined;
};
