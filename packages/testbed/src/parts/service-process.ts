import { repositoryRoot } from "../host/installation.ts";
import type { ProcessSpec } from "../host/supervised-process.ts";
import { type BundleKind, serviceBundle } from "./service-bundle.ts";

/** A little longer than the 5 s in which services finish or abort open work. */
const STOP_DEADLINE_MS = 7_000;

/** The environment variables that a process inherits: only those that it needs. */
const inherited = (): Record<string, string> => {
  const names = [
    ...["PATH", "HOME", "TMPDIR", "TZ", "NODE_EXTRA_CA_CERTS"],
    ...["CONCLAVE_MEND_CLOCK_MARKS", "CONCLAVE_LIFT_QUARANTINE"],
  ];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
};

/**
 * Memory options of signers. A signer's main thread mostly forwards short-lived buffers, so a small young generation
 * suffices and saves about 25 MB of 150. It is collected on one thread, because waking others would take longer.
 */
const SIGNER_MEMORY = ["--max-semi-space-size=2", "--no-parallel-scavenge"] as const;

/**
 * Node options as in the images. Source maps stay off: gRPC reads the stack of every failing call, and decoding the map
 * for the first one would block the process for half a second, just when a peer has died.
 */
const nodeOptions = (service: string): readonly string[] => (service === "signer" ? SIGNER_MEMORY : []);

/** The process of a service in `services/`. @param name unique in its cluster, such as "signer-1" */
export const serviceSpec = (
  service: string,
  name: string,
  logFile: string,
  env: Readonly<Record<string, string>>,
  bundle: BundleKind = "bundle",
): ProcessSpec => ({
  name,
  command: process.execPath,
  args: [...nodeOptions(service), serviceBundle(repositoryRoot(), service, bundle)],
  env: { ...inherited(), ...env },
  cwd: repositoryRoot(),
  logFile,
  stopSignal: "SIGTERM",
  stopDeadlineMs: STOP_DEADLINE_MS,
});
