import { followFaultOrders } from "@conclave/platform/testing/faults";
import { runOrchestrator } from "../run.ts";

// the ordinary service, in a process that obeys orders of faults
followFaultOrders();
void runOrchestrator((code) => process.exit(code));
