/** How often a node is asked. Several nodes may stand behind one address: an answer that only one of them gives does not come each time. */
const TIMES = 11;

/**
 * Whether a node says the same each time that it is asked again.
 * @param ask whether it says so this time; a node that does not answer does not
 */
export const isSaidAgain = async (ask: () => Promise<boolean>): Promise<boolean> => {
  for (let time = 0; time < TIMES; time += 1) if (!(await ask())) return false;
  return true;
};
