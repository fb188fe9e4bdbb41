const FIRST_CLUSTER = "local";

/** A command of the Makefile about a cluster, as a person types it. @param cluster its name */
export const makeCommand = (
  target: string,
  cluster: string,
  settings: Readonly<Record<string, string>> = {},
): string => {
  const named = cluster === FIRST_CLUSTER ? settings : { ...settings, NAME: cluster };
  return ["make", target, ...Object.entries(named).map(([name, value]) => `${name}=${value}`)].join(" ");
};
