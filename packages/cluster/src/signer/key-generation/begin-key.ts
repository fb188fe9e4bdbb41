import { problem, type SignedAuthorisation } from "@conclave/custody";
import type { PartyIndex, SchemeName } from "@conclave/threshold";
import type { ComputeTask } from "../../compute/task.ts";
import type { Lives } from "../../control/lives.ts";
import { keyHolders } from "../../control/roster-member.ts";
import type { CallId } from "../../control/session-key.ts";
import type { Asked } from "../event.ts";
import { KEYS_MAX } from "../limits.ts";
import { storedKey } from "../records/key-records.ts";
import { lookUp } from "../records/persistent-map.ts";
import type { KeyProvenance, StoredRecord } from "../records/record.ts";
import { authorisedKey } from "../session/authorise.ts";
import { newSession, openInHost, refuse, remembering, whyNotBegin } from "../session/begin.ts";
import { runKey } from "../session/run-id.ts";
import { andThen, type SignerState, type SignerStep, withSession } from "../state.ts";
import { KEY_EPOCH_FIRST } from "./key-epoch.ts";
import { isNewKey } from "./new-key-purpose.ts";

type BeginKey = Asked<"key-generation">;
type KeyTask = Extract<ComputeTask, { readonly kind: "open-key" | "open-import" }>;

/** A call for a session that makes a new key. */
interface NewKeyCall {
  readonly call: CallId;
  readonly session: Uint8Array;
  readonly lives: Lives;
  readonly authorisation: SignedAuthorisation;
  readonly expiresAtMs: number;
}

/** The authorised key. */
export interface NewKey {
  readonly keyId: string;
  readonly scheme: SchemeName;
  readonly threshold: number;
  readonly protocol: "key-generation" | "key-import";
  /** its organisation, and the date of the request */
  readonly made: KeyProvenance;
  /** the other inputs that the parties must agree on, each of a fixed length */
  readonly agreed: readonly Uint8Array[];
  readonly task: (fields: Omit<Extract<KeyTask, { readonly kind: "open-key" }>, "kind">) => KeyTask;
  /** the permanent record of it: durable in one step with the session's id, before anything is computed */
  readonly marking: (state: SignerState) => Marked;
}

/** A state, and the writes that make its changes durable. */
interface Marked {
  readonly state: SignerState;
  readonly puts: readonly { readonly record: string; readonly value: StoredRecord["value"] }[];
}

/** Begins key generation, if the authority asks for exactly this key with the roster's threshold. */
export const beginKey = (state: SignerState, event: BeginKey, nowMs: number): SignerStep => {
  const reason = whyNotBegin(state, event, nowMs);
  if (reason !== undefined) return refuse(state, event.call, reason);
  const authorised = authorisedKey(state.config, event.authorisation, nowMs);
  if (!authorised.ok) return refuse(state, event.call, authorised.problem);
  const { keyId, threshold, scheme, orgId, dateRequested: date } = authorised.value.value;
  const key: NewKey = {
    made: { orgId, date },
    keyId,
    threshold,
    scheme: schemeOf(scheme),
    protocol: "key-generation",
    agreed: [],
    task: (fields) => ({ kind: "open-key", ...fields }),
    marking: (before) => ({ state: before, puts: [] }),
  };
  return beginNewKey(state, event, key, nowMs);
};

/** The protocols' name of a scheme, from the authority's name. */
export const schemeOf = (scheme: Exclude<SchemeName, "CGGMP24"> | "ECDSA"): SchemeName =>
  scheme === "ECDSA" ? "CGGMP24" : scheme;

/** Begins a session of the whole roster for a new key, generated or imported. */
export const beginNewKey = (
  state: SignerState,
  event: NewKeyCall,
  key: NewKey,
  nowMs: number,
): SignerStep => {
  const { config } = state;
  const { call, session: given, lives, expiresAtMs } = event;
  const { keyId, threshold, scheme, protocol, made, agreed } = key;
  if (threshold !== config.threshold) {
    const exact = `The threshold of this cluster is ${config.threshold}, not ${threshold}.`;
    return refuse(state, call, problem("QuorumInvalid", {}, exact));
  }
  const parties: readonly PartyIndex[] = keyHolders(config.roster);
  if (!parties.includes(config.self)) {
    return refuse(
      state,
      call,
      problem("QuorumInvalid", {}, "This signer leaves: it gets no share of a new key."),
    );
  }
  const isUnderWay = [...state.sessions.values()].some(
    ({ purpose }) => isNewKey(purpose) && purpose.keyId === keyId,
  );
  const isHeld = storedKey(state, keyId) !== undefined || lookUp(state.next, keyId) !== undefined;
  if (isUnderWay || isHeld) return refuse(state, call, problem("KeyExists"));
  if (state.keyCount >= KEYS_MAX) return refuse(state, call, problem("TooManySessions"));

  const epoch = KEY_EPOCH_FIRST;
  const runId = runKey(config, {
    given,
    expiresAtMs,
    protocol,
    keyId,
    scheme,
    epoch,
    parties,
    holders: { threshold, parties },
    agreed,
    lives,
  });
  if (!runId.ok) return refuse(state, call, runId.problem);
  const { run, attempt } = runId.value;
  const purpose = { protocol, keyId, scheme, made } as const;
  const stage = protocol === "key-import" ? "import" : "keygen";
  const session = newSession({ ...event, run, attempt, parties, purpose, stage });
  const marked = key.marking(withSession(state, session));
  const { state: begun, write } = remembering(marked.state, session, nowMs);
  const recorded: SignerStep = {
    state: begun,
    effects: [{ kind: "batch", puts: [write, ...marked.puts], erases: [], sync: true }],
  };
  const task = key.task({ parties, keyId, scheme, threshold, epoch });
  return andThen(recorded, (next) => openInHost(next, session, task));
};
