/**
 * How often a node is queried. Several nodes may stand behind one address, and an answer that only one of them gives
 * does not come every time.
 */
const TIMES = 11;

/**
 * Whether a node gives the same answer each time.
 * @param ask whether this query gives the answer; a node that does not answer does not
 */
export const isSaidAgain = async (ask: () => Promise<boolean>): Promise<boolean> => {
  for (let time = 0; time < TIMES; time += 1) if (!(await ask())) return false;
  return true;
};
