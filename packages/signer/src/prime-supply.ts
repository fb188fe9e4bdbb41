import type { SessionKey } from "@conclave/cluster";
import type { AuxiliaryPrimes, Secret } from "@conclave/threshold";

/** Finds primes, until a call stops it. */
export type Search = (signal: AbortSignal) => Promise<Secret<AuxiliaryPrimes>>;

/**
 * Hands primes to the sessions that ask, one search at a time. Primes whose session ended before they were found
 * have been seen by nobody, and serve the next session.
 */
export class PrimeSupply {
  readonly #search: Search;
  readonly #found: (session: SessionKey, primes: Secret<AuxiliaryPrimes>) => void;
  readonly #failed: (error: unknown) => void;
  readonly #waiting = new Set<SessionKey>();
  #spare: Secret<AuxiliaryPrimes> | undefined;
  #isSearching = false;
  readonly #stop = new AbortController();

  /** @param failed a search failed; the next session that asks begins another */
  constructor(
    search: Search,
    found: (session: SessionKey, primes: Secret<AuxiliaryPrimes>) => void,
    failed: (error: unknown) => void,
  ) {
    this.#search = search;
    this.#found = found;
    this.#failed = failed;
  }

  ask(session: SessionKey): void {
    this.#waiting.add(session);
    this.#serve();
  }

  /** The session ended; it wants none any more. */
  forget(session: SessionKey): void {
    this.#waiting.delete(session);
  }

  /** Gives up what is being searched. */
  close(): void {
    this.#stop.abort();
  }

  #serve(): void {
    const [session] = this.#waiting;
    if (session === undefined) return;
    const primes = this.#spare;
    if (primes === undefined) {
      this.#begin();
      return;
    }
    this.#spare = undefined;
    this.#waiting.delete(session);
    this.#found(session, primes);
    this.#serve();
  }

  #begin(): void {
    if (this.#isSearching || this.#stop.signal.aborted) return;
    this.#isSearching = true;
    this.#search(this.#stop.signal).then(
      (primes) => {
        this.#isSearching = false;
        this.#spare = primes;
        this.#serve();
      },
      (error) => {
        this.#isSearching = false;
        if (!this.#stop.signal.aborted) this.#failed(error);
      },
    );
  }
}
