import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Cluster, repositoryRoot } from "@conclave/testbed";

/** With real parameters auxiliary information is made anew for minutes. */
const DEADLINE_MS = 10 * 60_000;
/** The orchestrator may renew auxiliary information at the same time: then the command says that it can be given again. */
const ATTEMPTS = 3;

/**
 * Gives all signers new shares of every key, as an operator does, and waits until all signers can sign.
 *
 * @param command `reprovision` of a signer without a store, or `refresh`
 * @throws with what the command said last
 */
export const giveNewShares = async (
  cluster: Pick<Cluster, "layout" | "ready">,
  ...command: readonly string[]
): Promise<void> => {
  const main = join(repositoryRoot(), "packages/cli/dist/main.js");
  const words = [main, ...command, "--state", cluster.layout.root];
  for (let attempt = 1; ; attempt += 1) {
    try {
      await promisify(execFile)(process.execPath, words, { timeout: DEADLINE_MS });
      return cluster.ready();
    } catch (cause) {
      if (attempt === ATTEMPTS) throw cause;
    }
  }
};
