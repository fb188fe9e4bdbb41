import { existsSync, readFileSync } from "node:fs";
import { LaunchError, readDescription, stateLayout } from "@conclave/testbed/launch";
import { absentCluster } from "../absent-cluster.ts";

/**
 * An identity of the development organisation: its administrator, a person with a key, or its service account, a program.
 */
export type ClientIdentity = "developer" | "service";

/** Where the gateway is, and the credentials of the caller. */
export interface Access {
  readonly url: string;
  readonly token: string;
  readonly credentialId: string;
  /** the private key of the credential, as PEM */
  readonly privateKey: string;
}

/** The variables that `conclave env` prints, for each identity. */
const VARIABLES = {
  developer: {
    token: "CONCLAVE_TOKEN",
    credential: "CONCLAVE_CREDENTIAL",
    keyFile: "CONCLAVE_KEY_FILE",
  },
  service: {
    token: "CONCLAVE_SERVICE_TOKEN",
    credential: "CONCLAVE_SERVICE_CREDENTIAL",
    keyFile: "CONCLAVE_SERVICE_KEY_FILE",
  },
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The gateway and the identity that a command uses: from the environment where CONCLAVE_API is set, which may name any
 * cluster; otherwise those of the cluster in a folder.
 * @throws LaunchError when neither is there
 */
export const accessOf = (state: string, environment: Environment, identity: ClientIdentity): Access =>
  fromEnvironment(environment, identity) ?? fromFolder(state, identity);

const fromEnvironment = (environment: Environment, identity: ClientIdentity): Access | undefined => {
  const url = environment["CONCLAVE_API"];
  if (url === undefined || url === "") return undefined;
  const names = VARIABLES[identity];
  const setting = (name: string): string => {
    const value = environment[name];
    if (value !== undefined && value !== "") return value;
    throw new LaunchError(
      `CONCLAVE_API is set and ${name} is not`,
      "Set both, or neither to ask the cluster of this folder.",
    );
  };
  return {
    url,
    token: setting(names.token),
    credentialId: setting(names.credential),
    privateKey: keyIn(setting(names.keyFile)),
  };
};

const fromFolder = (state: string, identity: ClientIdentity): Access => {
  const description = readDescription(stateLayout(state));
  if (description === undefined) {
    const settings = Object.values(VARIABLES[identity]).join(", ");
    throw absentCluster(state, undefined, `Or name a gateway by CONCLAVE_API, ${settings}.`);
  }
  const { api, developer } = description;
  const { token, credential } = identity === "developer" ? developer : developer.serviceAccount;
  return {
    url: api.url,
    token,
    credentialId: credential.id,
    privateKey: keyIn(credential.keyFile),
  };
};

const keyIn = (file: string): string => {
  if (existsSync(file)) return readFileSync(file, "utf8");
  throw new LaunchError(
    `there is no key file ${file}`,
    "Name the file with the private key of the credential.",
  );
};
