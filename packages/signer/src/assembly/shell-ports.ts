import type { SignerPorts } from "@conclave/cluster";
import { reach } from "@conclave/platform/fault-points";
import { type Envelope, encode, envelopeCodec } from "@conclave/threshold";
import { carriesPartialSignature, spendsPresignature } from "../fault-points.ts";
import type { Forgetting } from "../forgetting.ts";
import type { PrimeSupply } from "../prime-supply.ts";
import type { SignerStore } from "../records.ts";
import type { ComputeHost, PeerLinks } from "./parts.ts";

interface Carriers {
  readonly store: SignerStore;
  readonly forgetting: Forgetting;
  readonly links: PeerLinks;
  readonly compute: ComputeHost;
  readonly supply: PrimeSupply;
  /** sees each task before it is computed */
  readonly released: SignerPorts["compute"];
}

/** The ports through which a shell carries out the effects of its state machine, but for those that report. */
export const shellPorts = ({
  store,
  forgetting,
  links,
  compute,
  supply,
  released,
}: Carriers): Omit<SignerPorts, "report" | "alarm"> => {
  const bytesOf = encodedOnce();
  return {
    store: ({ record, value, forgetAtMs }) =>
      stored(store.batch({ puts: [{ record, value, forgetAtMs }], erases: [], sync: true })),
    forget: (untilMs) => forgetting.begin(untilMs),
    erase: (record) => stored(store.erase(record)),
    batch: async (batch) => {
      await stored(store.batch(batch));
      FAULT: if (spendsPresignature(batch)) reach("presignature.spent");
    },
    send: (to, envelope) => {
      links.send(to, bytesOf(envelope));
      FAULT: if (carriesPartialSignature(envelope)) reach("presignature.answered");
    },
    primes: (session) => supply.ask(session),
    compute: (session, task) => {
      released(session, task);
      compute.submit(session, task);
    },
    prepare: (auxiliary) => compute.prepare(auxiliary),
    drop: (session) => {
      supply.forget(session);
      compute.drop(session);
    },
  };
};

/** A broadcast goes to every peer and is encoded once. */
const encodedOnce = (): ((envelope: Envelope) => Uint8Array) => {
  const known = new WeakMap<Envelope, Uint8Array>();
  return (envelope) => {
    const bytes = known.get(envelope) ?? encode(envelopeCodec, envelope);
    known.set(envelope, bytes);
    return bytes;
  };
};

/**
 * Names the consequence and the remedy of a failed write. The signer writes nothing after it: nobody knows how much reached the disk, and
 * a disk that failed to make something durable may claim the next time that it has. The signer ends, and its start reads the disk (INV-2).
 */
const stored = (write: Promise<void>): Promise<void> =>
  write.catch((cause: unknown) => {
    throw new Error(
      "The signer's store could not be written. Nothing is signed that is not stored, so the signer ends. Free space or mend its disk, then start it again.",
      { cause },
    );
  });
