import type { SessionKey } from "@conclave/cluster";
import type { AuxiliaryPrimes, Secret } from "@conclave/threshold";

/**
 * Hands primes to the sessions that ask, one search at a time. Primes whose session ended before they were found
 * have been seen by nobody, and serve the next session.
 */
export class PrimeSupply {
  readonly #search: () => Promise<Secret<AuxiliaryPrimes>>;
  readonly #found: (session: SessionKey, primes: Secret<AuxiliaryPrimes>) => void;
  readonly #failed: (error: unknown) => void;
  readonly #waiting = new Set<SessionKey>();
  #spare: Secret<AuxiliaryPrimes> | undefined;
  #isSearching = false;

  constructor(
    search: () => Promise<Secret<AuxiliaryPrimes>>,
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
    if (this.#isSearching) return;
    this.#isSearching = true;
    this.#search().then((primes) => {
      this.#isSearching = false;
      this.#spare = primes;
      this.#serve();
    }, this.#failed);
  }
}
