/** Ledgers in which what we sent is sent again, some fifteen seconds: what a node lacks after them is not on its way. */
const PATIENCE_LEDGERS = 4;
/** Accounts that are remembered; the oldest are forgotten first. */
const ACCOUNTS_MAX = 10_000;

interface Empty {
  readonly sequence: bigint;
  /** the validated ledger at which it was seen to be empty for the first time */
  readonly since: number;
}

/**
 * Which place of an account stays empty, though our own records are ahead of it. A transaction of ours that a node has lost is
 * sent again within seconds; one whose ledgers are over never is, and leaves its place for good.
 *
 * A wrong verdict costs time and no money: two transactions in one place exclude each other, and the loser is proved dead and
 * built again.
 */
export class PlaceWatch {
  readonly #empty = new Map<string, Empty>();

  /**
   * Call it when our records are ahead of the chain.
   * @param next the place that is empty
   * @param validated the node's last validated ledger
   */
  isAbandoned(account: string, next: bigint, validated: number): boolean {
    const known = this.#empty.get(account);
    if (known?.sequence === next) return validated - known.since >= PATIENCE_LEDGERS;
    this.#empty.delete(account);
    this.#empty.set(account, { sequence: next, since: validated });
    const [oldest] = this.#empty.keys();
    if (this.#empty.size > ACCOUNTS_MAX && oldest !== undefined) this.#empty.delete(oldest);
    return false;
  }
}
