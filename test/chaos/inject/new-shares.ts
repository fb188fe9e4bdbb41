import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Cluster, repositoryRoot } from "@conclave/testbed";

/** Deadline; with production parameters, new auxiliary information takes minutes. */
const DEADLINE_MS = 10 * 60_000;
/** If the orchestrator renews auxiliary information at the same time, the command fails and says that it can be repeated. */
const ATTEMPTS = 3;

/**
 * Gives all signers new shares of every key, as an operator does, and waits until all signers can sign.
 *
 * @param command `reprovision` of a signer without a store, or `refresh`
 * @throws with the command's last output
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
