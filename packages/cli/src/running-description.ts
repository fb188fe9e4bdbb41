import { LaunchError, readDescription, stateLayout, typedCommand } from "@conclave/testbed/launch";

/** The description of the cluster of a state folder. @throws LaunchError when none was started there */
export const runningDescription = (state: string) => {
  const description = readDescription(stateLayout(state));
  if (description !== undefined) return description;
  throw new LaunchError(`no cluster has been started in ${state}`, `Start one with ${typedCommand("up")}.`);
};
