import { LaunchError, readDescription, stateLayout, typedCommand } from "@conclave/testbed/launch";

/**
 * `conclave open`: opens the API's page in the browser, and prints its address.
 * @param state the cluster's folder, used where the environment names no gateway
 */
export const openPage = async (state: string, apiUrl: string | undefined): Promise<void> => {
  const url = apiUrl ?? readDescription(stateLayout(state))?.api.url;
  if (url === undefined)
    throw new LaunchError(`no cluster has been started in ${state}`, `Start one with ${typedCommand("up")}.`);
  const page = `${url}/docs`;
  process.stdout.write(`${page}\n`);
  const { default: open } = await import("open");
  const browser = await open(page);
  browser.once("error", () => process.stderr.write("no browser was found here: open the address in one\n"));
};
