import { runGateway } from "./run.ts";

void runGateway((code) => process.exit(code));
