import * as z from 'zod/mini';

// Before any schema is made: zod would try `new Function`, which the Content-Security-Policy forbids and reports.
z.config({ jitless: true });
