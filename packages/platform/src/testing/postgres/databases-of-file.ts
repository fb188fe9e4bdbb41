/** Drops one database. */
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
