import type { PartyIndex } from "@conclave/threshold";
import { entriesOf } from "../records/persistent-map.ts";
import type { SignerState } from "../state.ts";
import { isOverAge, type PresignatureSet, setName } from "./pool.ts";

/** The number of presignatures, and the fates of those that are gone. */
interface Amounts {
  /** presignatures that wait; `listPresignatures` shows which may be used now */
  readonly ready: number;
  /** spent on sessions that are still open */
  readonly reserved: number;
  /** since the start: made; spent on a session; thrown away unused; too old */
  readonly stored: number;
  readonly consumed: number;
  readonly burnt: number;
  readonly expired: number;
}

export interface SetStatus extends Amounts, PresignatureSet {}

export interface PoolStatus extends Amounts {
  /** since the start: sessions that were refused a presignature */
  readonly refused: number;
  /** of these, those that asked for a second digest: an alarm (P6) */
  readonly reused: number;
  /** since the start: times that a peer showed our store to be an old copy, and the pool was burnt: an alarm (P6) */
  readonly rolledBack: number;
  /** each key and quorum that has or had presignatures; of those without any now, at most SETS_COUNTED_MAX */
  readonly sets: readonly SetStatus[];
}

/** The public facts of one presignature, for a coordinator. */
export interface ListedPresignature extends PresignatureSet {
  /** 64 lower-case hex digits */
  readonly id: string;
  readonly signers: readonly PartyIndex[];
  /** Unix milliseconds, by this signer's clock */
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** whether this signer would use it now */
  readonly isUsable: boolean;
}

const NONE = { ready: 0, reserved: 0 } as const;

const reservedSets = ({ signingCalls }: SignerState): readonly PresignatureSet[] =>
  [...signingCalls.values()].flatMap(({ parts, signers }) =>
    parts.flatMap(({ presignature, keyId }) => (presignature === undefined ? [] : [{ keyId, signers }])),
  );

export const poolStatus = (state: SignerState): PoolStatus => {
  const { ready, counts, fates, refused, reused } = state.pool;
  const sets = new Map<string, { -readonly [Name in keyof SetStatus]: SetStatus[Name] }>(
    [...counts].map(([name, { keyId, signers, fates: ofSet }]) => [
      name,
      { keyId, signers, ...NONE, ...ofSet },
    ]),
  );
  const entry = (set: PresignatureSet) => {
    const name = setName(set);
    const known = sets.get(name);
    if (known !== undefined) return known;
    const { keyId, signers } = set;
    const fresh = { keyId, signers, ...NONE, stored: 0, consumed: 0, burnt: 0, expired: 0 };
    sets.set(name, fresh);
    return fresh;
  };
  for (const [, record] of entriesOf(ready)) entry(record).ready += 1;
  const reserved = reservedSets(state);
  for (const set of reserved) entry(set).reserved += 1;
  return {
    ready: ready.size,
    reserved: reserved.length,
    ...fates,
    refused,
    reused,
    rolledBack: state.spending.rolledBack,
    sets: [...sets.values()],
  };
};

/**
 * The presignatures that wait, of one key or of all: at most PRESIGNATURES_MAX. One that is not usable now may become
 * so, and must be kept.
 *
 * @param nowMs Unix milliseconds
 */
export const listPresignatures = (
  state: SignerState,
  nowMs: number,
  only?: string,
): readonly ListedPresignature[] => {
  const listed: ListedPresignature[] = [];
  for (const [id, presignature] of entriesOf(state.pool.ready)) {
    const { keyId, signers, createdAtMs, expiresAtMs } = presignature;
    if (only !== undefined && only !== keyId) continue;
    const isUsable = !isOverAge(presignature, nowMs);
    listed.push({ id, keyId, signers, createdAtMs, expiresAtMs, isUsable });
  }
  return listed;
};
