DROP TABLE left_out;
