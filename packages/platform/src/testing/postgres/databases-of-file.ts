/** Drops the databases of the test file that runs, with the server's address as it was when they were made. */
type Drop = () => Promise<void>;

const drops: Drop[] = [];

/** The database of `drop` is dropped when the test file has ended. */
export const dropAfterFile = (drop: Drop): void => {
  drops.push(drop);
};

/** Drops all databases that the test file made. */
export const dropDatabases = async (): Promise<void> => {
  for (const drop of drops.splice(0)) await drop();
};
