import { followFaultOrders } from "@conclave/platform/testing/faults";
import { runOrchestrator } from "../run.ts";

// the service as it is, in a process in which things go wrong when they are ordered to
followFaultOrders();
void runOrchestrator((code) => process.exit(code));
