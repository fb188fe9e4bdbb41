/**
 * Ledgers in which our transactions are sent again, some fifteen seconds: one that a node lacks after them is
 * not on its way.
 */
const PATIENCE_LEDGERS = 4;
/** The same where our records were found to be wrong, and have not moved since: they are ahead of many places. */
const PATIENCE_LEDGERS_AGAIN = 1;
/** Accounts that are remembered; the oldest are forgotten first. */
const ACCOUNTS_MAX = 10_000;

interface EmptyPlace {
  readonly sequence: bigint;
  /** the lowest place that our records left free */
  readonly lowest: bigint;
  /** the validated ledger at which it was seen to be empty for the first time */
  readonly since: number;
  readonly patience: number;
  readonly isAbandoned: boolean;
}

/**
 * Which place of an account stays empty, though our own records are ahead of it. A transaction of ours that a node has lost is
 * sent again within seconds; one whose ledgers are over never is, and leaves its place for good.
 *
 * A wrong verdict costs time and no money: two transactions in one place exclude each other, and the loser is proved dead and
 * built again.
 */
export class PlaceWatch {
  readonly #empty = new Map<string, EmptyPlace>();

  /**
   * Call it when our records are ahead of the chain.
   * @param next the place that is empty
   * @param lowest the lowest place that our records leave free, which is above it
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
