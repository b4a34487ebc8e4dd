"""Solutions with forced errors (trembles), which decide choices that perfect play never reaches."""
