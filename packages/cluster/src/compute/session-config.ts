import type { PartyIndex, SessionConfig } from "@conclave/threshold";
import { hexToBytes } from "@noble/hashes/utils.js";
import type { SessionKey } from "../control/session-key.ts";
import type { ChecksPlace, Host } from "./host-state.ts";
import type { PresigningPurpose } from "./presigning/task.ts";

/** Limit on the sessions of one host; the state machine admits fewer. */
const HOST_SESSIONS_MAX = 256;

/** Whether one session's checks are done here or handed out. */
const placeOf = (host: ChecksPlace, purpose: PresigningPurpose): "here" | "apart" =>
  host === "apart-for-pool" ? (purpose === "pool" ? "apart" : "here") : host;

/** @throws when the state machine opens a session twice, or more sessions than the host allows */
export const configOf = (
  host: Host,
  session: SessionKey,
  parties: readonly PartyIndex[],
  purpose: PresigningPurpose = "request",
): SessionConfig => {
  if (host.runs.has(session)) throw new Error("a session of the compute host was opened twice");
  if (host.runs.size >= HOST_SESSIONS_MAX) throw new Error("the compute host is full");
  const { self, peers, secrets } = host.config;
  const checks = placeOf(host.checks, purpose);
  return { session: hexToBytes(session), self, parties, peers, secrets, checks };
};
