/**
 * Our transactions are sent again for this many ledgers, some fifteen seconds; a transaction that a node lacks after
 * them is not on its way.
 */
const PATIENCE_LEDGERS = 4;
/** Patience after our records were found to be wrong and have not moved since: they may be ahead by many places. */
const PATIENCE_LEDGERS_AGAIN = 1;
/** Most accounts that are remembered; the oldest are dropped first. */
const ACCOUNTS_MAX = 10_000;

interface EmptyPlace {
  readonly sequence: bigint;
  /** the lowest place that our records left free */
  readonly lowest: bigint;
  /** the validated ledger at which the place was first seen empty */
  readonly since: number;
  readonly patience: number;
  readonly isAbandoned: boolean;
}

/**
 * Finds out which place of an account stays empty although our records are ahead of it. If a node loses a transaction
 * of ours, it is sent again within seconds; an expired transaction is not, and leaves its place empty for good.
 *
 * A wrong verdict costs time but no money: two transactions in one place exclude each other, and the loser is proved
 * dead and built again.
 */
export class PlaceWatch {
  readonly #empty = new Map<string, EmptyPlace>();

  /**
   * Whether the empty place may be reused. Call it only when our records are ahead of the chain.
   *
   * @param next the empty place
   * @param lowest the lowest place that our records leave free; it is above `next`
   * @param validated the node's last validated ledger
   */
  isAbandoned(account: string, next: bigint, lowest: bigint, validated: number): boolean {
    const known = this.#empty.get(account);
    if (known?.sequence === next) {
      const isAbandoned = validated - known.since >= known.patience;
      this.#empty.set(account, { ...known, isAbandoned });
      return isAbandoned;
    }
    const isAgain = known?.isAbandoned === true && known.lowest === lowest;
    const patience = isAgain ? PATIENCE_LEDGERS_AGAIN : PATIENCE_LEDGERS;
    this.#empty.delete(account);
    this.#empty.set(account, { sequence: next, lowest, since: validated, patience, isAbandoned: false });
    const [oldest] = this.#empty.keys();
    if (this.#empty.size > ACCOUNTS_MAX && oldest !== undefined) this.#empty.delete(oldest);
    return false;
  }
}
