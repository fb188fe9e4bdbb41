import { followFaultOrders, openFailingStore } from "@conclave/platform/testing/faults";
import { runSigner } from "../run.ts";

// the service as it is, in a process in which things go wrong when they are ordered to; its worker.js is the one that lies
const folder = followFaultOrders();
void runSigner(
  (code) => process.exit(code),
  folder === undefined ? {} : { openStore: openFailingStore(folder) },
);
