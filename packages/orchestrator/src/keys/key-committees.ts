import { agreedInfo } from "@conclave/cluster";
import { holdersOf, lowestThreshold, type Roster } from "@conclave/platform";
import type { Signer, Signers } from "@conclave/platform/coordination";
import { type KeyHolders, type PartyIndex, partyIndex } from "@conclave/threshold";

/** Limit on remembered holders of keys; those learnt first are forgotten first. */
const KEYS_REMEMBERED_MAX = 4_096;

/** The signers that are asked who holds a key. */
interface AskedOfKeys extends Pick<Signers, "live"> {
  get(index: PartyIndex): Pick<Signer, "getKeyInfo"> | undefined;
}

/** The known holders of keys. */
export interface HoldersOfKeys {
  /** the holders of every newly made key */
  readonly ofNewKeys: KeyHolders;
  /** Returns the holders of a key if this process knows them without asking the signers. */
  known(keyId: string): KeyHolders | undefined;
  /** Asks the signers for the holders of a key. @returns undefined when too few of the holders answer */
  learn(keyId: string): Promise<KeyHolders | undefined>;
}

/**
 * Knows which signers hold a key, and how many of them sign together. The roster names the holders of every key except
 * those that a roster change has not moved yet. For these the orchestrator asks the signers, while a change is under
 * way and whenever signers refuse the holders that a command names.
 */
export class KeyCommittees implements HoldersOfKeys {
  readonly #signers: AskedOfKeys;
  readonly #ofRoster: KeyHolders;
  readonly #isChanging: boolean;
  readonly #least: number;
  readonly #learnt = new Map<string, KeyHolders>();

  constructor(signers: AskedOfKeys, roster: Pick<Roster, "threshold" | "signers" | "change">) {
    this.#signers = signers;
    const parties = holdersOf(roster).flatMap(({ index }) => partyIndex(index) ?? []);
    this.#ofRoster = { threshold: roster.threshold, parties };
    this.#least = lowestThreshold(roster);
    this.#isChanging = roster.change !== undefined;
  }

  get ofNewKeys(): KeyHolders {
    return this.#ofRoster;
  }

  /** The holders of a key as far as they are known without asking; undefined for a key that may not have been moved yet. */
  known(keyId: string): KeyHolders | undefined {
    return this.#learnt.get(keyId) ?? (this.#isChanging ? undefined : this.#ofRoster);
  }

  /**
   * Asks the live signers who holds a key.
   *
   * @returns undefined when too few of its holders answer
   */
  async learn(keyId: string): Promise<KeyHolders | undefined> {
    const said = new Map<PartyIndex, Uint8Array>();
    await Promise.all(
      this.#signers.live().map(async (signer) => {
        const answer = await this.#signers.get(signer)?.getKeyInfo(keyId);
        if (answer?.ok === true) said.set(signer, answer.value);
      }),
    );
    const info = agreedInfo(said, this.#least);
    if (info === undefined) return undefined;
    const { threshold, parties } = info;
    this.#remember(keyId, { threshold, parties });
    return { threshold, parties };
  }

  #remember(keyId: string, holders: KeyHolders): void {
    this.#learnt.delete(keyId);
    this.#learnt.set(keyId, holders);
    const [oldest] = this.#learnt.keys();
    if (this.#learnt.size > KEYS_REMEMBERED_MAX && oldest !== undefined) this.#learnt.delete(oldest);
  }
}
