import { type Problem, problem } from "@conclave/custody";
import type { KeyRecord } from "../records/record.ts";
import type { SignerState } from "../state.ts";

type Doubted = Pick<KeyRecord, "alarms">;

/**
 * Whether this signer got its share of a key before its store last turned out to be an older copy. In the time that is lost it may have promised to
 * sign nothing more with the key (`handedOver`), and have signed whatever it signs (INV-4). The signers of its roster give it the next epoch, and those
 * of another roster, or at a later epoch of the key, take no part.
 */
export const isInDoubt = ({ forgotten }: Pick<SignerState, "forgotten">, { alarms = 0 }: Doubted): boolean =>
  alarms < forgotten.alarms;

/** Why nothing is signed with a key that is in doubt; undefined for another one. */
export const whyInDoubt = (state: Pick<SignerState, "forgotten">, key: Doubted): Problem | undefined =>
  isInDoubt(state, key) ? problem("KeyNotRefreshed") : undefined;

/** The alarms of a share that this signer gets now. */
export const alarmsNow = ({ forgotten }: Pick<SignerState, "forgotten">): Doubted =>
  forgotten.alarms === 0 ? {} : { alarms: forgotten.alarms };
