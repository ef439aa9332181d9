// Imported first: zod otherwise tries to compile validators with eval, which the policy refuses.
import { config } from "zod";

config({ jitless: true });
