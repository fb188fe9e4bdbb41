import {
  type AuxiliaryInfo,
  auxiliaryInfoCodec,
  type CheckResult,
  checkResultCodec,
  decode,
  encode,
  type PartyIndex,
  pendingChecks,
  performJob,
  type Secret,
} from "@conclave/threshold";
import type { SessionKey } from "../control/session-key.ts";
import { AUXILIARIES_DECODED_MAX, lookUpDecoded, type Remembered, reading } from "./decoded.ts";
import type { Host } from "./host-state.ts";

/** Takes the checks that a session handed out and waits for. A second call gives none. */
export const takeJobs = (
  host: Host,
  session: SessionKey,
): { readonly host: Host; readonly jobs: readonly Uint8Array[] } => {
  const run = host.runs.get(session);
  const checks = run !== undefined && "session" in run ? pendingChecks(run.session) : [];
  if (checks.length === 0 || host.away.get(session) === checks) return { host, jobs: [] };
  const away = new Map(host.away).set(session, checks);
  return { host: { ...host, away }, jobs: checks.map(({ job }) => job()) };
};

/**
 * Does one job, of any session of the signer.
 *
 * @param auxiliary auxiliaryInfoCodec, which the session was opened with; none for auxiliary generation
 * @throws when bytes of our own do not decode
 */
export const performCheck = (
  host: Host,
  job: Uint8Array,
  auxiliary: Secret<Uint8Array> | undefined,
): { readonly host: Host; readonly verdict: Uint8Array } => {
  const { parameters } = host.config;
  const read = reading(auxiliaryInfoCodec(parameters));
  const known: Partial<Remembered<AuxiliaryInfo>> =
    auxiliary === undefined ? {} : lookUpDecoded(host.auxiliaries, read, auxiliary, AUXILIARIES_DECODED_MAX);
  const verdict = encode(checkResultCodec(parameters), performJob(job, parameters, known.value));
  return { host: { ...host, auxiliaries: known.memory ?? host.auxiliaries }, verdict };
};

/**
 * The verdicts on the peers whose checks the session handed out.
 *
 * @param verdicts in the order of the jobs
 * @throws when the verdicts do not fit the jobs: a bug of ours
 */
export const verdictsOf = (
  { away, config }: Host,
  session: SessionKey,
  verdicts: readonly Uint8Array[],
): ReadonlyMap<PartyIndex, CheckResult> => {
  const checks = away.get(session);
  if (checks?.length !== verdicts.length) throw new Error("the session waits for other verdicts");
  return new Map(
    checks.map(({ peer }, at) => {
      const verdict = decode(checkResultCodec(config.parameters), verdicts[at] ?? new Uint8Array());
      if (!verdict.ok) throw new Error(`a verdict of our own does not decode: ${verdict.reason}`);
      return [peer, verdict.value];
    }),
  );
};
