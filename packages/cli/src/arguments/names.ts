import { isSnapshotName } from "@conclave/testbed/launch";
import { InvalidArgumentError } from "commander";

const CLUSTER = /^[a-z0-9][a-z0-9-]{0,31}$/;

/** Whether a text is a cluster's name, which is a folder's as well. */
export const isClusterName = (text: string): boolean => CLUSTER.test(text);

/** Reads the name of a cluster. */
export const clusterName = (text: string): string => {
  if (isClusterName(text)) return text;
  throw new InvalidArgumentError("It is no name: use up to 32 lower-case letters, digits and hyphens.");
};

/** Reads the name of a snapshot. */
export const snapshotName = (text: string): string => {
  if (isSnapshotName(text)) return text;
  throw new InvalidArgumentError("It is no name: use up to 32 lower-case letters, digits and hyphens.");
};

/** Reads the name of a signer. */
export const aSigner = (text: string): string => {
  if (/^signer-[1-9]\d{0,2}$/.test(text)) return text;
  throw new InvalidArgumentError("It is no signer, such as signer-2.");
};

/** Reads names of signers, and that of the orchestrator, between commas. */
export const memberNames = (text: string): readonly string[] =>
  text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
    .map((name) => (name === "orchestrator" ? name : aSigner(name)));

/** Reads the URL of an HTTP server. */
export const httpUrl = (text: string): string => {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError("It is no URL, such as http://127.0.0.1:8545.");
};
