// The mount: holds a Camera Module over the board, on a boom or on any tripod.
// Measures in millimetres.

tube = 22;            // diameter of the boom; the clip holds it with two cable ties
tilt = 0;             // degrees; 0 looks straight down from a level boom
wide_lens = false;    // more room around the lens of the wide module

// Camera Module 2 and 3: board, holes and the lens above the lower edge.
board = [25, 24];
hole_x = 21;
hole_y = [9.5, 22];   // above the lower edge, 12.5 apart
lens_y = 9.5 + 5;
lens_hole = wide_lens ? 14 : 11;
plate = [35, 42, 4];
tie = [5, 2];         // cable tie
nut = [11.4, 5.8];    // 1/4 inch nut across the flats, and its height: the thread of tripods

$fn = 64;

module camera_plate() {
    difference() {
        translate([-plate[0] / 2, 0, 0]) cube(plate);
        translate([0, 4 + lens_y, -1]) cylinder(d = lens_hole, h = plate[2] + 2);
        for (x = [-hole_x / 2, hole_x / 2], y = hole_y) translate([x, 4 + y, -1]) cylinder(d = 1.9, h = plate[2] + 2);
        translate([-9, -1, plate[2] - 1.6]) cube([18, 6, 3]);   // the ribbon cable
        // the parts on the back of the board lie in a pocket
        translate([-(board[0] - 5) / 2, 4 + 2, plate[2] - 1.4]) cube([board[0] - 5, board[1] - 10, 3]);
    }
}

module clip() {
    length = 30;
    body = [plate[0], 14, length];
    difference() {
        translate([-body[0] / 2, 0, 0]) cube(body);
        translate([0, body[1] + tube / 2 - 5, -1]) cylinder(d = tube + 0.4, h = length + 2);
        for (z = [5, length - 5 - tie[0]], x = [-body[0] / 2 + 4, body[0] / 2 - 4 - tie[1]])
            translate([x, -1, z]) cube([tie[1], body[1] + 2, tie[0]]);
        // a tripod's screw from below, its nut from the side
        translate([0, 6, -1]) cylinder(d = 6.6, h = 14);
        translate([0, 6, 5]) cylinder(d = nut[0] / cos(30), h = nut[1], $fn = 6);
        translate([-nut[0] / 2, -1, 5]) cube([nut[0], 7, nut[1]]);
    }
}

camera_plate();
translate([0, plate[1] - 0.01, 0]) rotate([tilt, 0, 0]) clip();
