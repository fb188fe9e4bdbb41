import type { Signer } from "@conclave/platform/coordination";
import type { ProcessWorld } from "../time/process-world.ts";

/** A signer as one life of an orchestrator calls it: its death ends the streams of its sessions, and it hears and asks nothing more. */
export const mortalSigner = (signer: Signer, world: ProcessWorld): Signer => {
  const ask = <T>(question: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      if (!world.isAlive()) return;
      question().then(
        (answer) => world.arrive(() => resolve(answer)),
        (error: unknown) => world.arrive(() => reject(error)),
      );
    });
  return {
    index: signer.index,
    begin: (named, command, listener) => {
      if (!world.isAlive()) return { cancel: () => undefined };
      const call = signer.begin(named, command, {
        report: (report) => world.arrive(() => listener.report(report)),
        lost: (reason) => world.arrive(() => listener.lost(reason)),
      });
      world.onDeath(() => call.cancel());
      return call;
    },
    activateKey: (keyId) => ask(() => signer.activateKey(keyId)),
    attestKey: (keyId) => ask(() => signer.attestKey(keyId)),
    discardKey: (keyId) => ask(() => signer.discardKey(keyId)),
    switchEpoch: (certificate) => ask(() => signer.switchEpoch(certificate)),
    getCertificate: (subject) => ask(() => signer.getCertificate(subject)),
    getKeyInfo: (keyId) => ask(() => signer.getKeyInfo(keyId)),
    discardPresignatures: (ids) => ask(() => signer.discardPresignatures(ids)),
    listPresignatures: (keyId) => ask(() => signer.listPresignatures(keyId)),
    getSigned: (asked) => ask(() => signer.getSigned(asked)),
    getStatus: () => ask(() => signer.getStatus()),
    listKeys: (asked) => ask(() => signer.listKeys(asked)),
    watchHealth: (changed) => {
      const watch = signer.watchHealth((isServing) => world.arrive(() => changed(isServing)));
      world.onDeath(() => watch.close());
      return watch;
    },
    close: () => signer.close(),
  };
};
