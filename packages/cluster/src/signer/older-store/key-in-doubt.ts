import { type Problem, problem } from "@conclave/custody";
import type { KeyRecord } from "../records/record.ts";
import type { SignerState } from "../state.ts";

type Doubted = Pick<KeyRecord, "alarms">;

/**
 * Whether this signer got its share of a key before its store last turned out to be an older copy. In the lost time it
 * may have promised to sign nothing more with the key (`handedOver`), and have signed for any request (INV-4). The next
 * epoch of the key ends the doubt; only signers with its roster, and at no later epoch of the key, take part in it.
 */
export const isInDoubt = ({ forgotten }: Pick<SignerState, "forgotten">, { alarms = 0 }: Doubted): boolean =>
  alarms < forgotten.alarms;

/** The reason to sign nothing with a key that is in doubt; undefined for another key. */
export const whyInDoubt = (state: Pick<SignerState, "forgotten">, key: Doubted): Problem | undefined =>
  isInDoubt(state, key) ? problem("KeyNotRefreshed") : undefined;

/** The number of alarms so far, for the record of a share that this signer gets now. */
export const alarmsNow = ({ forgotten }: Pick<SignerState, "forgotten">): Doubted =>
  forgotten.alarms === 0 ? {} : { alarms: forgotten.alarms };
