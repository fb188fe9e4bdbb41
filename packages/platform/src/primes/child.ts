import { makeAuxiliaryPrimes } from "./primes.ts";
import type { FromSearch, SearchRequest } from "./search.ts";

/** The entry point of the process that searches primes. It answers one request; then its parent kills it. */
const post = (message: FromSearch): void => {
  process.send?.(message);
};

// The parent is gone. A normal exit would wait for the primality test that OpenSSL is running.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
process.once("message", (request: SearchRequest) => {
  makeAuxiliaryPrimes(request, (done, of) => post({ kind: "progress", done, of })).then(
    (primes) => post({ kind: "found", primes: primes.reveal() }),
    () => process.kill(process.pid, "SIGKILL"),
  );
});
