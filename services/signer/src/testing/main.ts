import { followFaultOrders, openFailingStore } from "@conclave/platform/testing/faults";
import { runSigner } from "../run.ts";

// the ordinary service, in a process that obeys orders of faults; lies are made in its worker.js
const folder = followFaultOrders();
void runSigner(
  (code) => process.exit(code),
  folder === undefined ? {} : { openStore: openFailingStore(folder) },
);
