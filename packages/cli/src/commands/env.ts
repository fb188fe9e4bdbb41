import { runningDescription } from "../running-description.ts";
import { shellWord } from "../shell-word.ts";

/**
 * `conclave env`: prints shell lines that set a running cluster's addresses and API credentials, for
 * `eval "$(conclave env)"`. The tokens and key files belong to the development organisation.
 *
 * Throws a LaunchError if no cluster has run in the folder.
 *
 * @param state the cluster's state folder
 */
export const env = (state: string): void => {
  const { api, chain, developer, threshold } = runningDescription(state);
  const { serviceAccount } = developer;
  const variables = {
    CONCLAVE_API: api.url,
    CONCLAVE_RPC: chain.rpcUrl,
    CONCLAVE_THRESHOLD: String(threshold),
    CONCLAVE_ORG: developer.orgId,
    CONCLAVE_TOKEN: developer.token,
    CONCLAVE_CREDENTIAL: developer.credential.id,
    CONCLAVE_KEY_FILE: developer.credential.keyFile,
    CONCLAVE_SERVICE_TOKEN: serviceAccount.token,
    CONCLAVE_SERVICE_CREDENTIAL: serviceAccount.credential.id,
    CONCLAVE_SERVICE_KEY_FILE: serviceAccount.credential.keyFile,
  };
  for (const [name, value] of Object.entries(variables)) {
    process.stdout.write(`export ${name}=${shellWord(value)}\n`);
  }
};
