/**
 * Sample of a rate card as of 2026-10-01, for tests. The amounts are invented, and most markets and categories are
 * missing.
 */
export const SAMPLE_RATES = `market,category,currency,amount,validFrom,source
India,marketing,USD,0.0118,2026-07-01,sample for tests
India,utility,USD,0.0014,2026-07-01,sample for tests
India,utility,USD,0.0015,2026-10-01,sample for tests
India,service,USD,0.0015,2026-10-01,sample for tests
India,authentication,USD,0.0014,2026-07-01,sample for tests
Germany,marketing,USD,0.1365,2026-07-01,sample for tests
Germany,utility,USD,0.055,2026-07-01,sample for tests
North America,utility,USD,0.0034,2026-07-01,sample for tests
Rest of Asia Pacific,utility,USD,0.0113,2026-07-01,sample for tests
Nepal,utility,USD,0.009,2026-10-01,sample for tests
`;
