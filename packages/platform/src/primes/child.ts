import { makeAuxiliaryPrimes } from "./primes.ts";
import type { FromSearch, SearchRequest } from "./search.ts";

/** The entry of the process that looks for primes: it answers one request, and is killed by whoever asked. */
const tell = (message: FromSearch): void => {
  process.send?.(message);
};

// Whoever asked is gone: an exit would still wait for OpenSSL to end the test it is at.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
process.once("message", (request: SearchRequest) => {
  makeAuxiliaryPrimes(request, (done, of) => tell({ kind: "progress", done, of })).then(
    (primes) => tell({ kind: "found", primes: primes.reveal() }),
    () => process.kill(process.pid, "SIGKILL"),
  );
});
