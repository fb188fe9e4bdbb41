import { loadRoster } from "@conclave/platform";
import {
  developerAccess,
  enterDeveloper,
  LaunchError,
  provisionFiles,
  renewIdentity,
  stateLayout,
} from "@conclave/testbed";

export interface ProvisionOptions {
  readonly state: string;
  /** undefined for an existing cluster, whose roster sets them */
  readonly signers?: number;
  readonly threshold?: number;
  readonly rpcUrl: string;
  readonly signerPort: number;
  readonly networks: readonly string[];
  readonly seed?: string;
}

const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/**
 * `conclave provision`: writes the files of a cluster that runs in containers. A second run changes nothing, and prints
 * the entries of requested networks that the networks file lacks.
 */
export const provision = async (options: ProvisionOptions): Promise<void> => {
  const { clusterId, isNew, networks, lacking } = await provisionFiles(options);
  const { state } = options;
  const roster = await loadRoster(stateLayout(state).roster);
  say(
    isNew
      ? `${clusterId} is provisioned in ${state}: ${roster.threshold} of ${roster.signers.length} signers sign, on ${networks.join(", ")}`
      : `${clusterId} stands in ${state} already, and stays as it is: it serves ${networks.join(", ")}`,
  );
  if (lacking.length === 0) return;
  say("networks.json lacks what follows. Write it there, and restart gateway, orchestrator and all signers:");
  process.stdout.write(`${JSON.stringify(lacking, undefined, 2)}\n`);
};

/** `conclave renew-identity`: makes keys and certificate for a signer that lost its whole folder. */
export const renewSignerIdentity = async (state: string, signer: string): Promise<void> => {
  await renewIdentity(state, signer);
  say(
    `${signer} has a new identity and a new certificate. The roster keeps the identity of before, by which`,
  );
  say("evidence, attestations and epoch certificates of its time verify.");
  say("Restart gateway, orchestrator and all signers,");
  say(`then \`conclave reprovision ${signer}\` gives it its shares.`);
};

/**
 * `conclave developer`: inserts the development user into the database of DATABASE_URL, and prints the credentials for API
 * calls.
 */
export const developer = async (state: string, databaseUrl: string | undefined): Promise<void> => {
  if (databaseUrl === undefined || databaseUrl === "") {
    throw new LaunchError("DATABASE_URL is not set", "Set it to the gateway's database.");
  }
  const layout = stateLayout(state);
  const { clusterId } = await loadRoster(layout.roster);
  const access = await developerAccess(layout, clusterId);
  await enterDeveloper(databaseUrl, access);
  process.stdout.write(`${JSON.stringify(access, undefined, 2)}\n`);
};
