import type { UnreadableReport } from "../postgres/index.ts";
import { countedEvent } from "./counted-event.ts";

const KIND = /^[a-z]{2,5}(?=-)/;

export const recordUnreadable = countedEvent<UnreadableReport>()(
  "error",
  "record-unreadable",
  "a record of the database cannot be read, and is left out of a list",
  {
    counter: {
      name: "conclave_unreadable_records_total",
      help: "Times that a record of the database could not be read, by the kind in its id; lists leave it out",
      labelNames: ["kind"],
    },
    labels: ({ record }) => ({ kind: KIND.exec(record)?.[0] ?? "other" }),
  },
);
