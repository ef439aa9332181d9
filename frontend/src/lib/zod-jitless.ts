// Imported first: otherwise zod tries to compile validators with eval, which the CSP forbids.
import { config } from "zod";

config({ jitless: true });
