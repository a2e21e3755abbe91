import type { ReconcileTools } from '../../../src/reconcile/tools.ts';
import type { Survey } from '../../../src/vendors/vendor.ts';

/** Counts passes and statements of a worker. */
export function counted(tools: ReconcileTools) {
  const counts = { passes: 0, queries: 0 };
  const query = tools.database.query.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      counts.queries += 1;
      return result;
    },
  });
  const connect: ReconcileTools['connect'] = async (stack) => {
    const driver = await tools.connect(stack);
    return {
      ...driver,
      observe: (onVendor) => {
        counts.passes += 1;
        return driver.observe(onVendor);
      },
    };
  };
  return { counts, tools: { ...tools, connect, database: { ...tools.database, query } } };
}

/** The vendors survey in another way. */
export function withSurvey(tools: ReconcileTools, change: (survey: Survey) => Survey): ReconcileTools {
  return {
    ...tools,
    connect: async (stack) => {
      const driver = await tools.connect(stack);
      return driver.survey ? { ...driver, survey: change(driver.survey) } : driver;
    },
  };
}
