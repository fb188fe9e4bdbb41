/**
 * The points of a service's code at which a test may kill its process, each with what is true at that point. They
 * follow the life of a transfer, then that of a presignature.
 */
export const FAULT_POINTS = [
  {
    point: "transfer.accepted",
    words: "The gateway has committed the request, its events and its message; the caller has no answer yet.",
  },
  {
    point: "transfer.begun",
    words: "An orchestrator has recorded that the request executes; nothing is built.",
  },
  { point: "transfer.built", words: "The unsigned bytes, and their place in the account, are stored." },
  { point: "transfer.asked", words: "The signers are about to be asked; they know nothing of the request." },
  {
    point: "transfer.signed",
    words: "The signatures are in the orchestrator's memory, and nowhere else outside of the signers.",
  },
  { point: "transfer.stored", words: "The signed bytes are stored; no node has seen them." },
  { point: "transfer.sent", words: "A node of the chain has taken the bytes; no record says so." },
  { point: "transfer.broadcast", words: "It is recorded that the node has taken the bytes." },
  { point: "transfer.confirmed", words: "It is recorded what the chain made of the transaction." },
  {
    point: "event.published",
    words: "The bus has stored a message of the outbox; the row still says that it waits.",
  },
  { point: "webhook.sent", words: "An endpoint has answered a delivery; the attempt is not recorded." },
  {
    point: "presignature.made",
    words: "A signer has a presignature in memory, and has sent no message about it.",
  },
  {
    point: "presignature.spent",
    words: "A presignature's tombstone is durable at a signer, and nothing signed with it is sent.",
  },
  {
    point: "presignature.answered",
    words: "A signer has sent its partial signature to a peer; it has not heard those of the others.",
  },
  {
    point: "presignature.leased",
    words: "An orchestrator has leased presignatures, and has used none of them yet.",
  },
] as const;

export type FaultPoint = (typeof FAULT_POINTS)[number]["point"];
