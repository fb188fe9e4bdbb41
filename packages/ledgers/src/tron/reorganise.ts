import { javaTronBlockOfRuns } from "./mine.ts";
import { refilledJavaTron } from "./pool.ts";
import { BLOCKS_UNTIL_SOLID, type JavaTronState } from "./state.ts";

/** Why this many blocks cannot be undone; undefined if they can. */
export const whyNotTakenBack = (
  { blocks, recentBooks }: JavaTronState,
  depth: number,
): string | undefined => {
  if (depth > BLOCKS_UNTIL_SOLID)
    return `the latest ${BLOCKS_UNTIL_SOLID} blocks can be taken back; what is below is solid`;
  return depth >= blocks.length || depth >= recentBooks.length ? "there are not so many blocks" : undefined;
};

/**
 * Undoes the latest blocks. A branch of empty blocks, longer by one, replaces them; their transactions wait again.
 * @param depth must be possible @param time milliseconds since 1970
 */
export const reorganisedJavaTron = (state: JavaTronState, depth: number, time: number): JavaTronState => {
  const undone = state.blocks.slice(-depth).flatMap(({ transactions }) => [...transactions.values()]);
  const books = state.recentBooks.at(-1 - depth);
  if (books === undefined) throw new RangeError("the books of that block are kept no more");
  let branch: JavaTronState = {
    ...state,
    books,
    pendingBooks: books,
    waiting: [],
    blocks: state.blocks.slice(0, -depth),
    recentBooks: state.recentBooks.slice(0, -depth),
  };
  for (let made = 0; made <= depth; made += 1) branch = javaTronBlockOfRuns(branch, time, []);
  const again = undone.map(({ submission }) => ({ submission, notBefore: 0 }));
  return refilledJavaTron(branch, [...again, ...state.waiting]);
};
