import type { Secret } from "@conclave/threshold";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import type { ComputeResult } from "../../compute/task.ts";
import { AUXILIARY_SUBJECT } from "../../control/epoch-certificate.ts";
import { firstParties } from "../config.ts";
import type { SignerEffect } from "../effect.ts";
import type { PendingAuxiliary } from "../epoch/pending.ts";
import { receiptFor } from "../epoch/receipt.ts";
import { FIRST_EPOCHS_KEPT } from "../limits.ts";
import { burnWhere } from "../presigning/burn.ts";
import { withoutQuarantine } from "../quarantine/quarantine.ts";
import { recallPast } from "../records/history.ts";
import { AUXILIARY_ID, type PendingAuxiliaryRecord, RECORDS, recallPut } from "../records/record.ts";
import { UNSOUND } from "../records/sound-share.ts";
import { sends } from "../session/sends.ts";
import {
  andThen,
  endWith,
  type OpenSession,
  type SignerState,
  type SignerStep,
  unchanged,
} from "../state.ts";

type Auxiliary = Extract<ComputeResult, { readonly kind: "auxiliary" }>;
type Batch = Extract<SignerEffect, { readonly kind: "batch" }>;

/** Stored auxiliary info of a pending epoch, with its receipt, which is always the same for the same info. */
export const pendingAuxiliaryOf = (
  { config }: Pick<SignerState, "config">,
  record: PendingAuxiliaryRecord,
): PendingAuxiliary => {
  const { info: _, ...known } = record;
  const holders = record.parties ?? firstParties(config);
  return { ...known, holders, receipt: receiptFor(config, AUXILIARY_SUBJECT, { ...known, holders }) };
};

/** Adds one pending epoch; ascending. */
export const withPendingAuxiliary = (state: SignerState, pending: PendingAuxiliary): SignerState => {
  const others = state.pendingAuxiliary.filter(({ epoch }) => epoch !== pending.epoch);
  return {
    ...state,
    pendingAuxiliary: [...others, pending].sort((one, other) => one.epoch - other.epoch),
  };
};

const nameOf = ({ epoch }: PendingAuxiliary): string => RECORDS.pendingAuxiliary.name(String(epoch));

/**
 * Stores the auxiliary info that a run made, beside the active one, durably before its receipt is sent. Until the
 * receipts of all signers are shown, the active info stays and no presignature is burnt. If the bytes differ from those
 * that the host compared, they are not stored, and no receipt is signed.
 */
export const keepAuxiliary = (state: SignerState, session: OpenSession, result: Auxiliary): SignerStep => {
  const { purpose, given, parties } = session;
  const { epoch, digest, info, checksum } = result;
  if (purpose.protocol !== "auxiliary" || purpose.epoch !== epoch) {
    throw new Error("a session makes the epoch of auxiliary info that it began for");
  }
  const { from } = purpose;
  const { parameters } = state.config;
  const made = { version: 1, parameters, session: given, from, epoch, digest, info, parties } as const;
  const id = String(epoch);
  const put = { record: RECORDS.pendingAuxiliary.name(id), value: RECORDS.pendingAuxiliary.write(made) };
  const stored = recallPut([put], RECORDS.pendingAuxiliary, id);
  if (!isChecksumOf(checksum, stored.info)) return endWith(state, session, UNSOUND);
  const pending = pendingAuxiliaryOf(state, made);
  const { receipt } = pending;
  const others = state.pendingAuxiliary.filter((each) => each.epoch !== epoch);
  const dropped = from === 0 ? others.slice(0, Math.max(0, others.length + 1 - FIRST_EPOCHS_KEPT)) : [];
  const write: Batch = {
    kind: "batch",
    puts: [put],
    erases: dropped.map(nameOf),
    sync: true,
  };
  const effects: SignerEffect[] = [write, ...sends(session, state.config.self, result.send)];
  const left = { ...state, pendingAuxiliary: others.slice(dropped.length) };
  return andThen({ state: withPendingAuxiliary(left, pending), effects }, (next) =>
    endWith(next, session, { kind: "auxiliary", from, epoch, digest, receipt }),
  );
};

const isChecksumOf = (checksum: Uint8Array, info: Secret<Uint8Array>): boolean =>
  bytesToHex(sha256(info.reveal())) === bytesToHex(checksum);

/** @throws when the store has lost info for which this signer gave a receipt */
const storedInfo = ({ history }: SignerState, pending: PendingAuxiliary): Secret<Uint8Array> => {
  const stored = recallPast(history, RECORDS.pendingAuxiliary, String(pending.epoch));
  if (stored?.session !== pending.session) throw new Error("a pending epoch is not in the store");
  return stored.info;
};

/**
 * Replaces the active info by pending info in one synced write, which also removes the old info, every presignature
 * that was made with it, and the pending info of earlier attempts. Facts that a cheat learned about an old modulus are
 * now useless, so the same write ends its quarantine (P15).
 *
 * @param certificate which was verified
 */
export const adoptAuxiliary = (
  state: SignerState,
  pending: PendingAuxiliary,
  certificate: Uint8Array,
): SignerStep => {
  const { parameters, epoch, digest, session } = pending;
  const info = storedInfo(state, pending);
  const record = { version: 1, parameters, epoch, digest, info, certificate, session } as const;
  const { state: lifted, erases } = withoutQuarantine(state);
  const burnt = burnWhere(lifted, ({ auxiliaryEpoch }) => auxiliaryEpoch !== epoch);
  const earlier = state.pendingAuxiliary.filter((each) => each.epoch <= epoch);
  const swap: Batch = {
    kind: "batch",
    puts: [{ record: RECORDS.auxiliary.name(AUXILIARY_ID), value: RECORDS.auxiliary.write(record) }],
    erases: [...earlier.map(nameOf), ...erases],
    sync: true,
  };
  const pendingAuxiliary = state.pendingAuxiliary.filter((each) => each.epoch > epoch);
  const adopted: SignerStep = {
    state: { ...burnt, auxiliary: record, pendingAuxiliary },
    effects: [swap, { kind: "prepare", auxiliary: info }],
  };
  return andThen(adopted, endGeneration);
};

/** Ends a generation that is under way: the epoch that it would replace is no longer active. */
const endGeneration = (state: SignerState): SignerStep => {
  const session = [...state.sessions.values()].find(({ purpose }) => purpose.protocol === "auxiliary");
  const reason = "the auxiliary information moved on to a new epoch";
  return session === undefined
    ? unchanged(state)
    : endWith(state, session, { kind: "failure", reason, silent: [] });
};
