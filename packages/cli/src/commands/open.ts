import { runningDescription } from "../running-description.ts";

/**
 * `conclave open`: opens the API's page in the browser, and prints its address.
 * @param state the cluster's folder, used where the environment names no gateway
 */
export const openPage = async (state: string, apiUrl: string | undefined): Promise<void> => {
  const url = apiUrl ?? runningDescription(state).api.url;
  const page = `${url}/docs`;
  process.stdout.write(`${page}\n`);
  const { default: open } = await import("open");
  const browser = await open(page);
  browser.once("error", () => process.stderr.write("no browser was found here: open the address in one\n"));
};
