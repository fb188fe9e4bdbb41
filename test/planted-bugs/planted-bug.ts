/** An edit of one file. Paths are from the root of the repository. */
export interface BugEdit {
  readonly path: string;
  /** text that occurs exactly once in the file */
  readonly find: string;
  readonly put: string;
}

/** A bug that worlds are to find: production code with edits that break an invariant. The edits are test code alone. */
export interface PlantedBug {
  /** in the table of docs/simulator.md */
  readonly number: number;
  readonly title: string;
  readonly invariant: string;
  /** whether only worlds whose transactions spend coins can find it: then all of its worlds are */
  readonly isOfCoins?: true;
  readonly edits: readonly BugEdit[];
}
