/** Warnings about data that is lost with a resource. */
export const losses = {
  database: 'Its data is lost. Back it up first.',
  files: 'Its files are lost. Back them up first.',
  cache: 'Its cached data is lost.',
  disk: 'Data that is only on its disk is lost.',
  disks: 'Data that is only on the disks of its instances is lost.',
} as const;
